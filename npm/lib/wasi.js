// The few functions of WASI preview 1 that the module uses: time, sleep, random numbers, and the text of a panic.

const SUCCESS = 0
const BAD_FILE = 8
const NOT_IMPLEMENTED = 52

/**
 * The import object for `module`. `options.emit(text)` takes the module's output, `options.poll()` is called whenever it asks
 * for the time, `options.sleep(milliseconds)` when it wants to wait, `options.spawn(argument)` starts a thread and
 * gives its number, `options.memory` is the memory that threads share.
 */
export function imports(module, options) {
  const state = { instance: null, panic: '' }
  const memory = () => options.memory ?? state.instance.exports.memory
  const view = () => new DataView(memory().buffer)
  // Text may not be decoded from shared memory: `slice` copies it.
  const bytes = (start, length) => new Uint8Array(memory().buffer).slice(start, start + length)
  const text = (start, length) => new TextDecoder().decode(bytes(start, length))
  const sleep = options.sleep ?? ((milliseconds) => pause(milliseconds))

  const wasi = {
    clock_time_get(clock, _precision, out) {
      options.poll?.()
      // A worker counts from its own start, and threads compare their times.
      const milliseconds = clock === 0 ? Date.now() : performance.timeOrigin + performance.now()
      view().setBigUint64(out, BigInt(Math.round(milliseconds * 1e6)), true)
      return SUCCESS
    },
    // The only thing waited for is one clock.
    poll_oneoff(subscriptions, events, _count, out) {
      const timeout = view().getBigUint64(subscriptions + 24, true)
      sleep(Number(timeout) / 1e6)
      const view_ = view()
      view_.setBigUint64(events, view_.getBigUint64(subscriptions, true), true)
      view_.setUint16(events + 8, SUCCESS, true)
      view_.setUint8(events + 10, 0)
      view_.setUint32(out, 1, true)
      return SUCCESS
    },
    random_get(start, length) {
      const random = new Uint8Array(length)
      for (let at = 0; at < length; at += 65536) crypto.getRandomValues(random.subarray(at, at + 65536))
      new Uint8Array(memory().buffer).set(random, start)
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
  const known = {
    wasi_snapshot_preview1: wasi,
    wasi: { 'thread-spawn': (argument) => options.spawn?.(argument) ?? -1 },
    tabiya: {
      emit: (start, length) => options.emit(text(start, length)),
      // 2026-11-18T01:30:00Z
      date(start) {
        const now = new TextEncoder().encode(new Date().toISOString().slice(0, 19) + 'Z')
        new Uint8Array(memory().buffer).set(now, start)
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

/** Waits without work where that is allowed, else by looking at the clock. */
export function pause(milliseconds) {
  if (milliseconds <= 0) return
  if (typeof SharedArrayBuffer === 'function') {
    try {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
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

/** Passes bytes to an export that takes a start and a length. */
export function call(state, name, bytes, memory) {
  const { exports } = state.instance
  const start = exports.tabiya_allocate(bytes.length)
  new Uint8Array((memory ?? exports.memory).buffer).set(bytes, start)
  return exports[name](start, bytes.length)
}
