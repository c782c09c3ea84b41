/**
 * A WebGL 2 context that draws nothing, for pages whose map is not the subject of a test: MapLibre loads tiles, lays out
 * symbols and finds features as usual, but compiles no shader, which costs seconds per page in software. A script for
 * `Page.addScriptToEvaluateOnNewDocument`.
 */
export const WEBGL_STUB = `(() => {
  const real = WebGL2RenderingContext.prototype;
  const texts = new Set(["getShaderInfoLog", "getProgramInfoLog", "getShaderSource"]);
  const valueOf = (gl, name) => {
    if (texts.has(name)) return () => "";
    if (name === "getSupportedExtensions") return () => [];
    if (name === "getContextAttributes") return () => ({ alpha: true, antialias: false, stencil: true, depth: true });
    if (name === "getShaderParameter" || name === "getProgramParameter") return () => true;
    if (name === "checkFramebufferStatus") return () => gl.FRAMEBUFFER_COMPLETE;
    if (name === "isContextLost") return () => false;
    if (name === "getAttribLocation" || name === "getError") return () => 0;
    if (name === "getParameter")
      return (what) =>
        what === gl.MAX_TEXTURE_SIZE || what === gl.MAX_RENDERBUFFER_SIZE ? 4096
        : what === gl.VIEWPORT ? new Int32Array(4)
        : what === gl.ALIASED_LINE_WIDTH_RANGE ? new Float32Array([1, 1])
        : 16;
    if (name === "shaderSource") return (shader, source) => void (shader.source = source);
    if (name === "attachShader") return (program, shader) => void (program.source = (program.source ?? "") + shader.source);
    // A uniform that the shaders do not have has no location: MapLibre has no value for it.
    if (name === "getUniformLocation")
      return ({ source }, uniform) => (new RegExp("uniform [^;]*\\\\b" + uniform + "\\\\b").test(source) ? {} : null);
    if (/^(create|fenceSync)/.test(name)) return () => ({});
    if (name === "getExtension") return () => null;
    return () => undefined;
  };
  const contextOf = (canvas) => {
    const gl = Object.create(real);
    for (const name of Object.getOwnPropertyNames(real)) {
      const property = Object.getOwnPropertyDescriptor(real, name);
      if (typeof property.value === "function" && name !== "constructor")
        Object.defineProperty(gl, name, { value: valueOf(gl, name) });
    }
    Object.defineProperty(gl, "canvas", { value: canvas });
    Object.defineProperty(gl, "drawingBufferWidth", { get: () => canvas.width });
    Object.defineProperty(gl, "drawingBufferHeight", { get: () => canvas.height });
    return gl;
  };
  const contexts = new WeakMap();
  const getContext = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (type, ...options) {
    if (type !== "webgl2") return getContext.call(this, type, ...options);
    if (!contexts.has(this)) contexts.set(this, contextOf(this));
    return contexts.get(this);
  };
})()`;
