import { type Given, headersIn } from "../config/environment.ts";
import { every } from "../time/every.ts";
import type { Parts } from "./build-parts.ts";
import type { AppEnvironment, Core } from "./core.ts";

export type SecretName = Given["name"];

/** Each gives why a new value cannot be used; undefined when it can. */
export type Trials = Readonly<Partial<Record<SecretName, (value: string) => Promise<string | undefined>>>>;

export type Secrets = ReturnType<typeof createSecrets>;

interface SecretSources {
  readonly trials: Trials;
  /** For operators; undefined during the start. */
  readonly notices: () => Pick<Parts, "report" | "reportMended"> | undefined;
}

const lookMs = 2000;
/** Something else may make a refused value right. */
const tryAgainMs = 30_000;

/**
 * The secrets in force, for whatever uses one to ask for it each time. A new value in a file is tried before it takes the place of the
 * old one. One that cannot be tried is used when two looks in a row find it, since somebody may still be writing the file.
 */
export function createSecrets({ elapsedMs, log, overrides }: Core, { trials, notices }: SecretSources) {
  const { readSecrets: read = () => [], secretsEveryMs = lookMs } = overrides;
  const inForce = new Map(read().flatMap((one) => ("value" in one ? [[one.name, one.value] as const] : [])));
  const seen = new Map<SecretName, string>();
  const refused = new Map<SecretName, { readonly found: string; readonly at: number }>();
  /** By variable, with `_FILE` where the one in force still works. */
  const troubles = new Map<string, string>();

  const note = (variable: string, text: string): void => {
    const isKnown = troubles.has(variable);
    troubles.set(variable, text);
    if (!isKnown) void notices()?.report(text);
  };
  const solve = (variable: string): void => {
    if (troubles.delete(variable))
      void notices()?.reportMended(`${variable} works again. There is nothing left to do about it.`);
  };
  const take = (name: SecretName, value: string): void => {
    inForce.set(name, value);
    log.info({ variable: name }, "a secret was read again and is used from now on");
    solve(`${name}_FILE`);
    solve(name);
  };
  const lookAt = async (one: Given): Promise<void> => {
    const { name } = one;
    const found = "value" in one ? one.value : one.problem;
    const isSettled = seen.get(name) === found;
    seen.set(name, found);
    if ("value" in one && found === inForce.get(name)) return solve(`${name}_FILE`);
    const trial = trials[name];
    if (!isSettled && ("problem" in one || !trial)) return;
    const last = refused.get(name);
    if (last?.found === found && elapsedMs() - last.at < tryAgainMs) return;
    const problem = "problem" in one ? one.problem : await trial?.(found);
    if (problem === undefined) return take(name, found);
    if (!isSettled) return;
    refused.set(name, { found, at: elapsedMs() });
    note(
      `${name}_FILE`,
      `The file of ${name} holds nothing that works, so the earlier one stays in use: ${problem}. Correct the file.`,
    );
  };
  let looking: Promise<void> | undefined;
  const look = (): Promise<void> => {
    looking ??= (async () => {
      for (const one of read()) await lookAt(one);
    })().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  return {
    /** Undefined for one that is not in a file. */
    now: (name: SecretName): string | undefined => inForce.get(name),
    troubles: (): ReadonlyMap<string, string> => troubles,
    /** Looks at the files again and again, until the returned function is called. */
    follow: () => every(secretsEveryMs, look, (err) => log.error({ err }, "the secrets could not be read again")).stop,
    /** True if another value is in force than the refused one. */
    refusedByService: async (name: SecretName, value: string): Promise<boolean> => {
      // A look under way may have read the file before it changed.
      await looking?.catch(() => undefined);
      if (inForce.get(name) === value) await look();
      if ((inForce.get(name) ?? value) !== value) return true;
      const how = inForce.has(name) ? "Curfew uses it within seconds" : "Then restart Curfew";
      note(name, `The service refuses ${name}, so nothing is changed there. Set a key that it knows. ${how}.`);
      return false;
    },
    solve,
  };
}

/** Gives each secret as it is now, whenever it is read. */
export function withSecrets(environment: AppEnvironment, { now }: Secrets): AppEnvironment {
  const { slack, metrics, tracing } = environment;
  const { receiver } = slack;
  return {
    ...environment,
    slack: {
      apiUrl: slack.apiUrl,
      get botToken() {
        return now("SLACK_BOT_TOKEN") ?? slack.botToken;
      },
      get receiver(): typeof receiver {
        return receiver.kind === "http"
          ? { kind: "http", signingSecret: now("SLACK_SIGNING_SECRET") ?? receiver.signingSecret }
          : { kind: "socket", appToken: now("SLACK_APP_TOKEN") ?? receiver.appToken };
      },
    },
    metrics: {
      port: metrics.port,
      get token() {
        return now("METRICS_TOKEN") ?? metrics.token;
      },
    },
    tracing: tracing && {
      endpoint: tracing.endpoint,
      get headers() {
        const text = now("OTEL_EXPORTER_OTLP_HEADERS");
        return text === undefined ? tracing.headers : headersIn(text);
      },
    },
  };
}
