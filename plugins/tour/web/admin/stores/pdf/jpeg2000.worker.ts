// A separate entry, because the worker of pdf.js imports it for pages with JPEG 2000 pictures.
export { default } from 'pdfjs-dist/wasm/openjpeg_nowasm_fallback.js';
