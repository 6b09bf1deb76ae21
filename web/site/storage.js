// The files of the board in IndexedDB, with a copy in memory. Where the browser refuses to keep anything, the copy serves until the
// page is closed, and the person is told.

const NAME = 'tabiya'
const STORE = 'files'
const TELL_AGAIN = 60_000

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

export class Storage {
  files = new Map()
  #base = null
  #refused
  #lastTold = -Infinity

  constructor(refused) {
    this.#refused = refused
  }

  /** Opens the storage and reads everything. `refused` is called when something cannot be kept. */
  static async open(refused) {
    const storage = new Storage(refused)
    try {
      const request = indexedDB.open(NAME, 1)
      request.onupgradeneeded = () => request.result.createObjectStore(STORE)
      storage.#base = await done(request)
      const store = storage.#base.transaction(STORE).objectStore(STORE)
      const [names, files] = await Promise.all([done(store.getAllKeys()), done(store.getAll())])
      names.forEach((name, index) => storage.files.set(name, files[index]))
    } catch {
      storage.#refused()
    }
    return storage
  }

  /** Again after a while: the first sentence may be gone when the next game is not kept. */
  #tell() {
    if (performance.now() - this.#lastTold < TELL_AGAIN) return
    this.#lastTold = performance.now()
    this.#refused()
  }

  async #change(work) {
    try {
      const transaction = this.#base.transaction(STORE, 'readwrite')
      work(transaction.objectStore(STORE))
      await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve
        transaction.onerror = transaction.onabort = () => reject(transaction.error)
      })
    } catch {
      this.#tell()
    }
  }

  write(name, text) {
    const file = { text, saved: Date.now() / 1000 }
    this.files.set(name, file)
    return this.#change((store) => store.put(file, name))
  }

  remove(name) {
    this.files.delete(name)
    return this.#change((store) => store.delete(name))
  }

  /** Whether a saved game is against people of a level. */
  needsPeople(id) {
    try {
      return JSON.parse(this.files.get(`games/${id}.json`).text).record.settings.opponent.level != null
    } catch {
      return false
    }
  }
}
