/**
 * Sends a request like fetch, with upload progress. fetch itself supports that only over HTTP/2 with streams;
 * XMLHttpRequest supports it everywhere.
 * @throws TypeError if there is no response, as fetch does; AbortError if it is aborted
 */
export function sendFile(
  url: URL,
  { method, headers, body, signal }: { method: string; headers: Headers; body?: BodyInit; signal?: AbortSignal },
  onSent: (bytes: number) => void,
): Promise<Response> {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.responseType = "blob";
    headers.forEach((value, name) => {
      request.setRequestHeader(name, value);
    });
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onload = () => {
      const { status, response } = request;
      done(new Response(response as Blob, { status, headers: { "content-type": (response as Blob).type } }));
    };
    request.onerror = () => failed(new TypeError("Failed to fetch"));
    request.onabort = () => failed(new DOMException("Aborted", "AbortError"));
    signal?.addEventListener("abort", () => request.abort());
    request.send(body as XMLHttpRequestBodyInit);
  });
}
