export interface TestServer extends AsyncDisposable {
  /** A server's URL, or a folder. */
  url: string;
}
