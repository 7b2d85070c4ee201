import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { Pool } from "pg";
import { surveyQuery } from "../bare/survey-query.ts";
import { lineReader } from "./line-reader.ts";

// Answers lines that name a survey with its JSON, in a line each. For one caller that waits for each answer.
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
