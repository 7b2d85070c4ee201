import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

// The process of `startCollector`: accepts all spans and discards them.
const server = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(200, { "content-type": "application/x-protobuf" }).end());
});
process.once("disconnect", () => process.exit(0));
server.listen(0, "127.0.0.1", () => {
  process.send!({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
