import { testReceiver } from "@canvass/testing/https-receiver";

// The webhook endpoint, in its own process: records when each event arrives and answers 204. Below /hang it never answers,
// and below /backlog it records nothing.
const now = () => performance.timeOrigin + performance.now();
let arrivals: { id: string; at: number }[] = [];

const receiver = await testReceiver({
  record: false,
  answer: ({ headers, path }) => {
    if (path.startsWith("/hang")) return "hang";
    if (path.startsWith("/backlog")) return 204;
    arrivals.push({ id: String(headers["webhook-id"]), at: now() });
    return 204;
  },
});

process.on("message", (ask: "take") => {
  if (ask === "take") process.send!({ arrivals });
  arrivals = [];
});
process.once("disconnect", () => process.exit(0));
process.send!({ url: `${receiver.url}/hook`, ca: receiver.ca });
