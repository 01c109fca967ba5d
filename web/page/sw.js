// The page works without a network once it was there: its own files, and nothing else, are kept.
const FILES = /* made by `make web` */ [];
const CACHE = /* made by `make web` */ "lerpmesh";

self.addEventListener("install", (event) => {
  // Not what the browser kept of the version before, whose files have the same names. That one goes on where it is open.
  const fresh = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)));
});
self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith("lerpmesh") && name !== CACHE) await caches.delete(name);
    await self.clients.claim();
  })());
});
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(caches.open(CACHE).then(async (cache) => (await cache.match(event.request, { ignoreSearch: true })) ?? fetch(event.request)));
});
