import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

// A trace collector in its own process. Accepts all spans and stores none.
const server = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(200, { "content-type": "application/x-protobuf" }).end());
});
process.once("disconnect", () => process.exit(0));
server.listen(0, "127.0.0.1", () => {
  process.send!({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
