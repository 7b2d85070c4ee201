export interface TestServer extends AsyncDisposable {
  url: string;
}
