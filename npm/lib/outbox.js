// Texts from threads that never rest, through shared memory to the worker that started them.
//
// Chromium keeps what a worker posts until it can clean up after that worker, and a thread that never returns to its event loop is
// never cleaned up: every message it ever posted would stay in memory.

import { decodeText } from './text.js'

/** Bytes of a ring: enough for all that comes while the receiver is busy, nearly always. What does not fit is posted. */
const SIZE = 1 << 20
/** Words before the ring: who writes, bytes written, bytes read, texts sent, whether nobody reads any more. */
const [LOCK, WRITTEN, READ, SENT, OVER] = [0, 1, 2, 3, 4]
const HEAD = 32
/** Bytes before each text: its number and its length. */
const LABEL = 8

/** Where a browser cannot wait for shared memory without blocking, everything is posted. */
export const hasOutbox = typeof Atomics.waitAsync === 'function' && typeof SharedArrayBuffer === 'function'

class Ring {
  constructor(buffer) {
    this.words = new Int32Array(buffer, 0, HEAD / 4)
    this.bytes = new Uint8Array(buffer, HEAD)
    this.labels = new Int32Array(buffer, HEAD)
    this.size = this.bytes.length
  }

  /** Runs of a text that begins at `at`: it may go on at the start of the ring. */
  first(at, length) {
    return Math.min(length, this.size - at)
  }
}

const padded = (length) => (length + 3) & ~3

/** The side of a thread. */
export class OutboxSender {
  #ring

  constructor(buffer) {
    this.#ring = new Ring(buffer)
  }

  /** Sends the bytes of a text. Null, or its number when it does not fit and has to be posted with that. */
  send(text) {
    const { words, bytes, labels, size } = this.#ring
    while (Atomics.compareExchange(words, LOCK, 0, 1) !== 0) Atomics.wait(words, LOCK, 1, 1)
    const number = Atomics.load(words, SENT)
    const written = Atomics.load(words, WRITTEN)
    const length = LABEL + padded(text.length)
    const fits = length <= size - ((written - Atomics.load(words, READ)) >>> 0)
    if (fits) {
      const start = (written >>> 0) % size
      labels[start / 4] = number
      labels[((start + 4) % size) / 4] = text.length
      const at = (start + LABEL) % size
      const first = this.#ring.first(at, text.length)
      bytes.set(text.subarray(0, first), at)
      bytes.set(text.subarray(first), 0)
      Atomics.store(words, WRITTEN, (written + length) | 0)
    }
    Atomics.store(words, SENT, (number + 1) | 0)
    Atomics.store(words, LOCK, 0)
    Atomics.notify(words, LOCK, 1)
    Atomics.notify(words, SENT)
    return fits ? null : number
  }
}

/** The side of the worker that started the threads. `receive` gets every text, in the order in which they were sent. */
export class OutboxReceiver {
  /** For the threads. */
  buffer = new SharedArrayBuffer(HEAD + SIZE)
  #ring = new Ring(this.buffer)
  #receive
  #next = 0
  /** Texts that others are to come before, by their numbers. */
  #early = new Map()
  #isDraining = false

  constructor(receive) {
    this.#receive = receive
    this.#listen()
  }

  async #listen() {
    const { words } = this.#ring
    while (Atomics.load(words, OVER) === 0) {
      const sent = Atomics.load(words, SENT)
      this.drain()
      const { async: waits, value } = Atomics.waitAsync(words, SENT, sent)
      if (waits) await value
    }
  }

  /** A text that did not fit and was posted. */
  posted(number, text) {
    this.#early.set(number, text)
    this.drain()
  }

  /** Gives out all that has come. */
  drain() {
    const { words, bytes, labels, size } = this.#ring
    for (;;) {
      const read = Atomics.load(words, READ)
      if (read === Atomics.load(words, WRITTEN)) break
      const start = (read >>> 0) % size
      const number = labels[start / 4]
      const length = labels[((start + 4) % size) / 4]
      const at = (start + LABEL) % size
      const first = this.#ring.first(at, length)
      // Shared memory cannot be decoded: a copy can.
      const text = new Uint8Array(length)
      text.set(bytes.subarray(at, at + first))
      text.set(bytes.subarray(0, length - first), first)
      Atomics.store(words, READ, (read + LABEL + padded(length)) | 0)
      this.#early.set(number, decodeText(text))
    }
    // Whoever receives a text may cause another one.
    if (this.#isDraining) return
    this.#isDraining = true
    for (let text; (text = this.#early.get(this.#next)) !== undefined; ) {
      this.#early.delete(this.#next)
      this.#next = (this.#next + 1) | 0
      try {
        this.#receive(text)
      } catch (error) {
        // As from a message: the worker fails, the texts go on.
        setTimeout(() => {
          throw error
        })
      }
    }
    this.#isDraining = false
  }

  end() {
    Atomics.store(this.#ring.words, OVER, 1)
    Atomics.notify(this.#ring.words, SENT)
  }
}
