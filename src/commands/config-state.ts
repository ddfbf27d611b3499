import { atMoment, type Fact, factsIn } from "./answer.ts";

/** A config in force, as the history has it. */
export interface ConfigInForce {
  readonly hash: string;
  readonly since: number;
  /** Who let it in: a Slack id, `operator:start`, `operator:sighup`, or `curfew` where it loosens nothing. */
  readonly by: string;
}

/** The config in force, and a newer file that is not used. */
export interface ConfigState {
  readonly inForce: ConfigInForce | undefined;
  /** `held`: it loosens something, and no admin has said yes. `invalid`: it has errors. */
  readonly newer: { readonly kind: "held" | "invalid"; readonly since: number } | undefined;
}

/** In words, a line each, for those who run Curfew. */
export function configLines({ inForce, newer }: ConfigState): readonly string[] {
  const since = (at: number) => new Date(at).toISOString();
  const used = inForce && `config ${inForce.hash} in force since ${since(inForce.since)}, by ${inForce.by}`;
  const unused = newer && `a newer file is not used since ${since(newer.since)}: it ${whyUnused[newer.kind]}`;
  return [used, unused].filter((line) => line !== undefined);
}

/** For admins in Slack. `nameOf`: of a Slack id. */
export async function configFacts(
  { inForce, newer }: ConfigState,
  nameOf: (id: string) => Promise<string>,
): Promise<readonly Fact[]> {
  return factsIn({
    Config: inForce?.hash.slice(0, 12),
    "In force since": atMoment(inForce?.since),
    "Let in by": inForce && (letInBy[inForce.by] ?? (await nameOf(inForce.by))),
    "Newer file": newer && `not used: it ${whyUnused[newer.kind]}`,
    "Not used since": atMoment(newer?.since),
  });
}

const letInBy: Readonly<Record<string, string>> = {
  "operator:start": "an operator, by a start",
  "operator:sighup": "an operator, by SIGHUP",
  curfew: "Curfew, since it loosens nothing",
};

const whyUnused = {
  held: "loosens something and waits for the admins",
  invalid: "has errors, which the log names",
} as const;
