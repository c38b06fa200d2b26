/** The worker of pdf.js, which has no types. Handles messages as soon as it is loaded. */
declare module 'pdfjs-dist/legacy/build/pdf.worker.min.mjs';

/** Decodes JPEG 2000 without WebAssembly, which the content security policy of some products refuses. */
declare module 'pdfjs-dist/wasm/openjpeg_nowasm_fallback.js' {
  const createDecoder: () => unknown;
  export default createDecoder;
}
