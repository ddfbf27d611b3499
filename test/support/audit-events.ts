import { z } from "zod";
import { runWithArgs } from "../cli/run-with-args.ts";
import { urlOf } from "./new-database.ts";
import type { Curfew } from "./start-curfew.ts";

const event = z.looseObject({ cursor: z.number(), hash: z.string(), previousHash: z.string(), event: z.string() });
const eventsOf = (lines: readonly string[]) => lines.filter(Boolean).map((text) => event.parse(JSON.parse(text)));

/** The audit events of the log, without what the log adds to each line. */
export const eventsLogged = ({ logged }: Pick<Curfew, "logged">) =>
  eventsOf(logged.filter((text) => text.includes('"audit":true'))).map(
    ({ level: _level, time: _time, pid: _pid, hostname: _host, msg: _msg, ...rest }) => rest,
  );

/** What `audit export --after` prints. */
export async function eventsExported({ database }: Pick<Curfew, "database">, after = 0) {
  const { errors, output } = await runWithArgs(["audit", "export", "--after", String(after)], {
    env: { DATABASE_URL: urlOf(database) },
  });
  if (errors !== "") throw new Error(errors);
  return eventsOf(output.split("\n"));
}
