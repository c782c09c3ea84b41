import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

/** What became of requests: answered (with 429, too), asked to come back (503), not connected, or cut. */
export interface Fates {
  answered: number;
  asked: number;
  refused: number;
  /** How they were cut, and when [ms since `mark`]. */
  cuts: { how: string; at: number }[];
}

export interface StopLoad {
  fates: Fates;
  /** Times of `cuts` count from now. */
  mark(): void;
  /** Sends no more, and resolves when all have their fate. */
  end(): Promise<Fates>;
}

interface StopLoadOptions {
  port: number;
  key: string;
  isTls?: boolean;
  /** Requests per second: half of them over kept connections, each 50th with a body that takes a second. */
  rate: number;
}

/** Updates of devices at a fixed rate, whatever becomes of them. */
export function startLoad({ port, key, isTls = false, rate }: StopLoadOptions): StopLoad {
  const kept = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const fates: Fates = { answered: 0, asked: 0, refused: 0, cuts: [] };
  const under = new Set<Promise<void>>();
  let began = performance.now();
  const send = (n: number) =>
    new Promise<void>((done) => {
      const isKept = n % 2 === 0;
      const options = {
        ...{ host: "127.0.0.1", port, method: "POST", path: "/v1/track", rejectUnauthorized: false },
        agent: isKept ? kept : false,
        headers: { authorization: key, "content-type": "application/json" },
      };
      const outgoing: ClientRequest = (isTls ? httpsRequest : httpRequest)(options, (answer) => {
        answer.resume();
        answer.once("end", () => {
          if (answer.statusCode === 503) fates.asked++;
          else fates.answered++;
          done();
        });
        answer.once("error", failed);
      });
      const cut = (why: string) => {
        const how = `${isKept ? "kept" : "fresh"} ${outgoing.reusedSocket ? "reused " : ""}`;
        fates.cuts.push({ how: how + why, at: Math.round(performance.now() - began) });
      };
      const failed = (error: NodeJS.ErrnoException) => {
        if (error.code === "ECONNREFUSED") fates.refused++;
        else cut(error.code ?? error.message);
        done();
      };
      outgoing.once("error", failed);
      const [body, half] = [updateOf(n), 20];
      if (n % 50 !== 7) outgoing.end(body);
      else {
        outgoing.write(body.slice(0, half));
        setTimeout(() => outgoing.end(body.slice(half)), 1000);
      }
    });
  let sent = 0;
  const timer = setInterval(() => {
    for (const due = ((performance.now() - first) * rate) / 1000; sent < due; ) {
      const one: Promise<void> = send(sent++).finally(() => under.delete(one));
      under.add(one);
    }
  }, 1);
  const first = performance.now();
  return {
    fates,
    mark: () => {
      began = performance.now();
    },
    async end() {
      clearInterval(timer);
      await Promise.all(under);
      kept.destroy();
      return fates;
    },
  };
}

const updateOf = (n: number) =>
  JSON.stringify({
    ...{ deviceId: `device-${n % 100}`, userId: `user-${n % 100}`, accuracy: 5, foreground: true },
    ...{ latitude: 48.85 + (n % 1000) / 1e5, longitude: 2.35 },
  });
