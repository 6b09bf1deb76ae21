// Makes the page work without a network after the first visit, and gives every answer the headers that let the page share memory
// with its workers, which plain file servers do not send. web/tools/site.mjs fills in the list of files and its fingerprint.

const CORE = /* CORE */ []
const LATER = /* LATER */ []
const NAME = 'tabiya-/* VERSION */'

// At once, so that the first visit does not wait for all files twice: they are kept as they pass, and the rest when the page asks.
self.addEventListener('install', () => self.skipWaiting())

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

const name = (request) => decodeURI(new URL(request.url).pathname.slice(new URL(self.registration.scope).pathname.length))
const isKept = (file) => file === '' || CORE.includes(file) || LATER.includes(file)

async function answer(request) {
  const cache = await caches.open(NAME)
  const kept = await cache.match(request, { ignoreSearch: true })
  if (kept) return isolated(kept)
  const response = await fetch(request)
  if (response.ok && isKept(name(request))) {
    // Storage that is full or refused must not break the page.
    cache.put(request.url.split('?')[0], response.clone()).catch(() => {})
  }
  return isolated(response)
}

/** Everything that a visit without a network needs. */
async function keep() {
  const cache = await caches.open(NAME)
  for (const file of CORE) {
    const url = new URL(file, self.registration.scope).href
    if (!(await cache.match(url))) await cache.add(url)
  }
}

self.addEventListener('message', (event) => {
  if (event.data !== 'keep') return
  const done = keep().then(() => event.source?.postMessage('kept'), () => {})
  event.waitUntil(done)
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return
  event.respondWith(answer(request))
})
