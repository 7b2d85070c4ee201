import { testReceiver } from "@canvass/testing/https-receiver";

// The webhook endpoint, in its own process. Records when each event arrives and responds with 204. Below /hang it never
// responds; below /backlog it records nothing.
const now = () => performance.timeOrigin + performance.now();
const arrivals: { id: string; at: number }[] = [];
let asked: { count: number; timer: NodeJS.Timeout } | undefined;

function tell(isLate = false): void {
  if (asked === undefined || (arrivals.length < asked.count && !isLate)) return;
  const { count, timer } = asked;
  clearTimeout(timer);
  asked = undefined;
  process.send!({ missing: Math.max(count - arrivals.length, 0), arrivals: arrivals.splice(0, count) });
}

const receiver = await testReceiver({
  record: false,
  answer: ({ headers, path }) => {
    if (path.startsWith("/hang")) return "hang";
    if (path.startsWith("/backlog")) return 204;
    arrivals.push({ id: String(headers["webhook-id"]), at: now() });
    tell();
    return 204;
  },
});

process.on("message", ({ count, patienceMs }: { count: number; patienceMs: number }) => {
  asked = { count, timer: setTimeout(tell, patienceMs, true) };
  tell();
});
process.once("disconnect", () => process.exit(0));
process.send!({ url: `${receiver.url}/hook`, ca: receiver.ca });
