// Keeps the pages for the hours without a network. VERSION and FILES stand above, from the build: a new build begins a new
// cache and drops the old. With a network everything is asked anew, but pictures, whose names tell their content.
const OURS = `bayeslib ${registration.scope} `;
const CACHE = OURS + VERSION;
const DRAWN = /\/[0-9a-f]{16,}\.\w+$/;
const MOST = 2000; // drawn files that are kept, the latest

addEventListener("install", (event) => {
  const fresh = FILES.map((file) => new Request(file, { cache: "no-cache" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const drop = (names) => Promise.all(names.filter((name) => name.startsWith(OURS) && name !== CACHE).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(drop).then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(registration.scope)) event.respondWith(answer(event.request));
});

// What a page had loaded before the worker was there.
addEventListener("message", (event) => {
  const drawn = event.data.filter((url) => url.startsWith(registration.scope) && DRAWN.test(url)).slice(-MOST);
  event.waitUntil(Promise.allSettled(drawn.map((url) => answer(new Request(url)))));
});

async function answer(request) {
  const cache = await caches.open(CACHE);
  const url = request.url.replace(/[?#].*/, "");
  const kept = async () => cache.match(url.endsWith("/") ? `${url}index.html` : url);
  const drawn = DRAWN.test(url);
  const before = drawn && (await kept());
  if (before) return before;
  try {
    const response = await fetch(request);
    if (drawn && response.ok) {
      await cache.put(url, response.clone());
      const all = (await cache.keys()).filter((each) => DRAWN.test(each.url));
      await Promise.all(all.slice(0, -MOST).map((each) => cache.delete(each)));
    }
    return response;
  } catch {
    const words = "There is no network, and this was not kept for such hours.";
    return (await kept()) ?? new Response(words, { status: 503, headers: { "Content-Type": "text/plain" } });
  }
}
