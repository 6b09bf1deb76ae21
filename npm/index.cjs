// For programs that use `require`.

const load = () => import('./index.js')

module.exports = (...given) => load().then((tabiya) => tabiya.default(...given))
module.exports.createEngine = (options) => load().then((tabiya) => tabiya.createEngine(options))
