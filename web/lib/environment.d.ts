/** The names of environments. */
export const ENVIRONMENTS: readonly ("neutral" | "day" | "sunset" | "night")[];

/**
 * Loads the light of an environment, for RenderOptions.environment: a name, or the URL of an image that the browser
 * reads, or of a Radiance picture (.hdr). The image is equirectangular, and its middle is in front of the model.
 * Brightness is relative: the light of every image has the same mean.
 */
export function loadEnvironment(
  source: string,
  base?: string | URL,
  options?: { signal?: AbortSignal },
): Promise<Float32Array>;
