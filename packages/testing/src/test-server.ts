/** A server that lives for the whole test run. */
export interface TestServer extends AsyncDisposable {
  url: string;
}
