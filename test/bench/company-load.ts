// Commands of a whole company at a steady rate, whatever becomes of them: each excludes another machine, asked for by another person.
import { setTimeout as delay } from "node:timers/promises";
import { companySeed } from "../../src/sandbox/company.ts";
import type { Workspace } from "../../src/sandbox/workspace/start-workspace.ts";
import { nowMs } from "./clock.ts";

/** One command, from when it was due. */
export interface Sent {
  readonly name: string;
  readonly dueAt: number;
  readonly sentAt: number;
  /** When Slack had its acknowledgement, or gave up. */
  doneAt: number;
  isAcknowledged: boolean;
}

const people = companySeed.people.filter(({ handle }) => handle.startsWith("person"));
const channels = companySeed.channels.filter(({ id }) => id.startsWith("C1T"));
const [purposes, machinesOfGroup] = [6, 50];

/** Team by team; after each round the next machine. Different for 18,000 commands. */
function commandOf(number: number) {
  const [team, round] = [number % channels.length, Math.floor(number / channels.length)];
  const group = team + channels.length * (round % purposes);
  const machine = group * machinesOfGroup + Math.floor(round / purposes);
  const who = people[number % (people.length - (people.length % channels.length))]?.handle ?? "";
  const name = `load-${number}`;
  const line = `/curfew exclude i-0c${machine.toString(16).padStart(15, "0")} for 2h --name ${name}`;
  return { name, who, channel: channels[team]?.name ?? "", line };
}

export function createCompanyLoad(workspace: Workspace) {
  const all: Sent[] = [];
  const send = async (dueAt: number): Promise<void> => {
    const { name, who, channel, line } = commandOf(all.length);
    const sent: Sent = { name, dueAt, sentAt: nowMs(), doneAt: Number.NaN, isAcknowledged: false };
    all.push(sent);
    const { ok } = await workspace.as(who).type(line, channel);
    sent.doneAt = nowMs();
    sent.isAcknowledged = ok;
  };
  return {
    all: all as readonly Sent[],
    /** Resolves with those that were sent, when Slack has the acknowledgement of each or has given up. */
    run: async (perSecond: number, seconds: number): Promise<readonly Sent[]> => {
      const [first, beganAt] = [all.length, nowMs()];
      const sending: Promise<void>[] = [];
      while (sending.length < perSecond * seconds) {
        const dueAt = beganAt + (sending.length * 1000) / perSecond;
        const waitMs = dueAt - nowMs();
        if (waitMs > 1) await delay(waitMs);
        sending.push(send(dueAt));
      }
      const count = sending.length;
      await Promise.all(sending);
      return all.slice(first, first + count);
    },
  };
}
