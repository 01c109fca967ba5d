/** The names of environments. */
export const ENVIRONMENTS: readonly ("neutral" | "day" | "sunset" | "night")[];

/**
 * Loads the light of an environment, for RenderOptions.environment: a name, or an image as a URL or a Blob. The browser
 * must read the image, or it is a Radiance picture (.hdr). It is equirectangular; its middle is in front of the model.
 * Brightness is relative: the light of every image has the same mean.
 */
export function loadEnvironment(
  source: string | URL | Blob,
  base?: string | URL,
  options?: { signal?: AbortSignal },
): Promise<Float32Array>;
