import { fastify } from "fastify";
import { connect, type AddressInfo } from "node:net";
import { lineReader } from "./line-reader.ts";

// Forwards reads of surveys to the service over one connection and returns its responses.
const socket = connect({ host: "127.0.0.1", port: Number(process.env["SERVICE_PORT"]), noDelay: true });
const waiting: ((json: string) => void)[] = [];
socket.on(
  "data",
  lineReader((json) => waiting.shift()!(json)),
);

const server = fastify();
server.get<{ Params: { id: string } }>("/surveys/:id", ({ params }, reply) => {
  waiting.push((json) => void reply.type("application/json").send(json));
  socket.write(`${params.id}\n`);
});
await server.listen({ host: "127.0.0.1", port: 0 });
process.once("disconnect", () => process.exit(0));
process.send!({ url: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}` });
