// Tabiya as a worker: post UCI lines to it, get UCI lines from it.
//
//   const engine = new Worker('tabiya.js')
//   engine.onmessage = (event) => console.log(event.data)
//   engine.postMessage('uci')
//
// `tabiya.js?build=single` asks for a build: single or scalar (without SIMD). Neither a module nor CommonJS, so that it can be used
// like other engines; it loads the rest as modules. `node tabiya.js` speaks UCI on the standard input and output.

if (typeof WorkerGlobalScope === 'undefined') {
  import('./cli.js')
} else {
  const lines = []
  let pump = null

  self.onmessage = (event) => {
    if (pump) pump.send(event.data)
    else lines.push(event.data)
  }

  const here = self.location.href
  import(new URL('lib/pump.js', here).href).then(
    ({ Pump }) => {
      const build = new URL(here).searchParams.get('build') ?? undefined
      pump = new Pump({
        base: new URL('.', here),
        build,
        output: (line) => self.postMessage(line),
        ended: () => self.close(),
      })
      for (const line of lines.splice(0)) pump.send(line)
    },
    (error) => self.postMessage(`info string the engine cannot load: ${error.message}`),
  )
}
