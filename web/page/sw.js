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
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(
    (async () => {
      const cache = await caches.open(CACHE);
      const cached = await cache.match(event.request, { ignoreSearch: true });
      const answer = cached ?? (await fetch(event.request));
      if (!cached && answer.ok && /\/samples\/[^?]*\.pack$/.test(event.request.url))
        await cache.put(event.request, answer.clone());
      return answer;
    })(),
  );
});
