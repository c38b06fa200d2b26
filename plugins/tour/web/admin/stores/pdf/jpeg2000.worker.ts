// A file of its own for the worker of pdf.js, which imports it when a page contains such a picture.
export { default } from 'pdfjs-dist/wasm/openjpeg_nowasm_fallback.js';
