// The few functions of WASI preview 1 that the module uses: time, sleep, random numbers, and the text of a panic.

import { decodeText } from './text.js'

const SUCCESS = 0
const BAD_FILE = 8
const NOT_IMPLEMENTED = 52
/** Bytes of a text for which the copy is kept. */
const LARGEST_KEPT = 1 << 20

/** Whether a call of the module can wait while its worker hears messages (JavaScript Promise Integration). */
export const canSuspend = typeof WebAssembly.Suspending === 'function' && typeof WebAssembly.promising === 'function'

/** Functions of WASI within which such a call waits. */
const WAITING = ['clock_time_get', 'poll_oneoff']

/**
 * The import object for `module`. `options.emit(text)` takes the module's output, `options.poll()` is called whenever it asks
 * for the time, `options.sleep(milliseconds)` when it wants to wait, `options.spawn(argument)` starts a thread and
 * gives its number, `options.memory` is the memory that threads share. With `options.suspends` what `poll` and `sleep` give may be a
 * promise, and whatever asks for the time must be called by `callSuspending` or `suspending`.
 */
export function imports(module, options) {
  const state = { instance: null, panic: '' }
  // A thread may run for as long as the page is open, and its worker is asked for the time all along: what is made anew for each
  // question adds up, because a worker that never rests is seldom cleaned.
  let seen = new DataView(new ArrayBuffer(0))
  let copy = new Uint8Array(4096)
  /** The memory as it is now: its buffer is another one when it has grown. */
  const view = () => {
    const { buffer } = options.memory ?? state.instance.exports.memory
    if (seen.buffer !== buffer) seen = new DataView(buffer)
    return seen
  }
  const setTime = (at, nanoseconds) => {
    const high = Math.floor(nanoseconds / 2 ** 32)
    view().setUint32(at, nanoseconds - high * 2 ** 32, true)
    view().setUint32(at + 4, high, true)
  }
  // Text may not be decoded from shared memory: it is copied.
  const text = (start, length) => {
    if (copy.length < length) copy = new Uint8Array(length)
    copy.set(new Uint8Array(view().buffer, start, length))
    const decoded = decodeText(copy.subarray(0, length))
    if (copy.length > LARGEST_KEPT) copy = new Uint8Array(4096)
    return decoded
  }
  const sleep = options.sleep ?? ((milliseconds) => pause(milliseconds))

  const wasi = {
    clock_time_get(clock, _precision, out) {
      const tell = () => {
        // A worker counts from its own start, and threads compare their times.
        const milliseconds = clock === 0 ? Date.now() : performance.timeOrigin + performance.now()
        setTime(out, Math.round(milliseconds * 1e6))
        return SUCCESS
      }
      const heard = options.poll?.()
      return heard instanceof Promise ? heard.then(tell) : tell()
    },
    // The only thing waited for is one clock.
    poll_oneoff(subscriptions, events, _count, out) {
      const word = (at) => view().getUint32(at, true)
      const tell = () => {
        // The name of the subscription, that it succeeded, and that it was a clock.
        view().setUint32(events, word(subscriptions), true)
        view().setUint32(events + 4, word(subscriptions + 4), true)
        view().setUint16(events + 8, SUCCESS, true)
        view().setUint8(events + 10, 0)
        view().setUint32(out, 1, true)
        return SUCCESS
      }
      const slept = sleep((word(subscriptions + 24) + word(subscriptions + 28) * 2 ** 32) / 1e6)
      return slept instanceof Promise ? slept.then(tell) : tell()
    },
    random_get(start, length) {
      const random = new Uint8Array(length)
      for (let at = 0; at < length; at += 65536) crypto.getRandomValues(random.subarray(at, at + 65536))
      new Uint8Array(view().buffer).set(random, start)
      return SUCCESS
    },
    sched_yield: () => SUCCESS,
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true)
      view().setUint32(size, 0, true)
      return SUCCESS
    },
    environ_get: () => SUCCESS,
    // Only a panic writes here: its message becomes the reason of the trap that follows.
    fd_write(file, vectors, count, out) {
      let written = 0
      for (let index = 0; index < count; index++) {
        const start = view().getUint32(vectors + 8 * index, true)
        const length = view().getUint32(vectors + 8 * index + 4, true)
        if (file === 2) state.panic += text(start, length)
        written += length
      }
      view().setUint32(out, written, true)
      return SUCCESS
    },
    fd_prestat_get: () => BAD_FILE,
    proc_exit(code) {
      throw new Error(`the engine ended with code ${code}`)
    },
  }
  if (options.suspends) for (const name of WAITING) wasi[name] = new WebAssembly.Suspending(wasi[name])
  const known = {
    wasi_snapshot_preview1: wasi,
    wasi: { 'thread-spawn': (argument) => options.spawn?.(argument) ?? -1 },
    tabiya: {
      emit: (start, length) =>
        options.emitBytes ? options.emitBytes(new Uint8Array(view().buffer, start, length)) : options.emit(text(start, length)),
      // 2026-11-18T01:30:00Z
      date(start) {
        const now = new TextEncoder().encode(new Date().toISOString().slice(0, 19) + 'Z')
        new Uint8Array(view().buffer).set(now, start)
      },
    },
    env: options.memory ? { memory: options.memory } : {},
  }
  const object = {}
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    object[from] ??= {}
    object[from][name] = known[from]?.[name] ?? (() => NOT_IMPLEMENTED)
  }
  return { object, state }
}

/** What nobody wakes anybody by. */
const never = typeof SharedArrayBuffer === 'function' ? new Int32Array(new SharedArrayBuffer(4)) : null

/** Waits without work where that is allowed, else by looking at the clock. */
export function pause(milliseconds) {
  if (milliseconds <= 0) return
  if (never) {
    try {
      Atomics.wait(never, 0, 0, milliseconds)
      return
    } catch {
      // Not allowed here.
    }
  }
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

/** Instantiates and initialises `module`; a thread is initialised by whoever started it. */
export async function instantiate(module, options, isThread = false) {
  const { object, state } = imports(module, options)
  state.instance = await WebAssembly.instantiate(module, object)
  if (!isThread) state.instance.exports._initialize?.()
  return state
}

/** Copies bytes into the module: their start and length. */
function pass(state, bytes, memory) {
  const { exports } = state.instance
  const start = exports.tabiya_allocate(bytes.length)
  new Uint8Array((memory ?? exports.memory).buffer).set(bytes, start)
  return [start, bytes.length]
}

/** Passes bytes to an export that takes a start and a length. */
export function call(state, name, bytes, memory) {
  return state.instance.exports[name](...pass(state, bytes, memory))
}

/** The same, and a promise of the answer: the worker may hear messages meanwhile, but nothing else of the module may be called. */
export function callSuspending(state, name, bytes) {
  return suspending(state, name)(...pass(state, bytes))
}

export function suspending(state, name) {
  return WebAssembly.promising(state.instance.exports[name])
}

const channel = new MessageChannel()

/** Lets messages come in that are there already. */
export function hearMessages() {
  return new Promise((heard) => {
    channel.port1.onmessage = heard
    channel.port2.postMessage(null)
  })
}
