/** Handles the messages of pdf.js in a web worker as soon as it is loaded. It has no types. */
declare module 'pdfjs-dist/legacy/build/pdf.worker.min.mjs';

/** Decodes JPEG 2000 without WebAssembly, which the content security policy of some products refuses. */
declare module 'pdfjs-dist/wasm/openjpeg_nowasm_fallback.js' {
  const createDecoder: () => unknown;
  export default createDecoder;
}
