// Caches the page's own files, and nothing else, so that it works offline. Samples are cached once they are opened.
const FILES = /* written by `make web` */ [];
const CACHE = /* written by `make web` */ "lerpmesh";

self.addEventListener("install", (event) => {
  // Bypasses the browser's cache, which may have the previous version's files of the same names.
  const fresh = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)));
});
self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys())
        if (name.startsWith("lerpmesh") && name !== CACHE) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});
// All other requests are the browser's, which ends them when their tab is closed. A request from here would go on.
const PATHS = new Set(FILES.map((file) => new URL(file, location.href).pathname));
const SAMPLE = /\/samples\/.*\.pack$/;

async function answer(request, isSample) {
  const cache = await caches.open(CACHE);
  const cached = await cache.match(request, { ignoreSearch: true });
  const fetched = cached ?? (await fetch(request));
  if (!cached && fetched.ok && isSample) await cache.put(request, fetched.clone());
  return fetched;
}

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  const isSample = SAMPLE.test(pathname);
  if (event.request.method === "GET" && origin === location.origin && (PATHS.has(pathname) || isSample))
    event.respondWith(answer(event.request, isSample));
});
