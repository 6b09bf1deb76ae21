// Makes the page work without a network after the first visit, and gives every answer the headers that let the page share memory
// with its workers, which plain file servers do not send. web/tools/site.mjs fills in the list of files and its fingerprint.

const CORE = /* CORE */ []
const LATER = /* LATER */ []
const NAME = 'tabiya-/* VERSION */'

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(CORE)).then(() => self.skipWaiting()))
})

self.addEventListener('activate', (event) => {
  const clean = async () => {
    for (const name of await caches.keys()) if (name.startsWith('tabiya-') && name !== NAME) await caches.delete(name)
    await self.clients.claim()
  }
  event.waitUntil(clean())
})

function isolated(response) {
  if (response.status === 0 || response.type === 'opaque') return response
  const headers = new Headers(response.headers)
  headers.set('Cross-Origin-Opener-Policy', 'same-origin')
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp')
  headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}

async function answer(request) {
  const cache = await caches.open(NAME)
  const kept = await cache.match(request, { ignoreSearch: true })
  if (kept) return isolated(kept)
  const response = await fetch(request)
  const path = new URL(request.url).pathname
  if (response.ok && LATER.some((name) => path.endsWith(name))) await cache.put(request, response.clone())
  return isolated(response)
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return
  event.respondWith(answer(request))
})
