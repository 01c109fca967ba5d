// What lies at an address.

import { LerpmeshError } from "./module.js";

/** Its bytes; why not is a LerpmeshError. */
export async function fetchBytes(url) {
  let response;
  try {
    response = await fetch(url);
  } catch (error) {
    throw new LerpmeshError({ code: "io", message: `${url} cannot be fetched: the server is not there, or does not let other pages read it (CORS); download it and open the file` }, { cause: error });
  }
  if (!response.ok) throw new LerpmeshError({ code: "io", message: `${url}: the server says ${response.status} ${response.statusText}`.trim() });
  return new Uint8Array(await response.arrayBuffer());
}
