import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { Pool } from "pg";
import { surveyQuery } from "../bare/survey-query.ts";
import { lineReader } from "./line-reader.ts";

// Receives one survey id per line and responds with one line of JSON. For one caller that waits for each response.
const pool = new Pool({ connectionString: process.env["DATABASE_URL"], max: 1 });
const server = createServer({ noDelay: true }, (socket) => {
  const answer = async (id: string) => {
    const { rows } = await pool.query(surveyQuery(id));
    socket.write(`${JSON.stringify(rows[0] ?? null)}\n`);
  };
  socket.on(
    "data",
    lineReader((id) => void answer(id)),
  );
});
await once(server.listen(0, "127.0.0.1"), "listening");
process.once("disconnect", () => process.exit(0));
process.send!({ port: (server.address() as AddressInfo).port });
