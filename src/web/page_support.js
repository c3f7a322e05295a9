// page_support.js - says that a browser is too old for the page. Every browser must be able to read
// this.
(function () {
  function fail() {
    document.body.setAttribute('data-view', 'unsupported');
  }
  var has =
    'noModule' in HTMLScriptElement.prototype &&
    window.WebAssembly &&
    window.DecompressionStream &&
    window.AbortController &&
    window.HTMLDialogElement &&
    window.Blob &&
    'stream' in Blob.prototype &&
    'at' in Array.prototype;
  try {
    // An empty module: a browser that does not know the policy's 'wasm-unsafe-eval' refuses it.
    if (has) has = Boolean(new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])));
  } catch (reason) {
    has = false;
  }
  if (!has) fail();
  // Syntax that the browser does not know.
  window.addEventListener('error', function (event) {
    if (
      event.error instanceof SyntaxError &&
      !document.documentElement.hasAttribute('data-page-ready')
    )
      fail();
  });
})();
