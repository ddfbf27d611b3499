import { join } from "node:path";
import { buildApp } from "../app.ts";
import { type SandboxEnvironment, type SlackEnvironment, secretsIn } from "../config/environment.ts";
import { createLogger, type Logger } from "../observability/log.ts";
import { escapeUnsafe } from "../observability/unsafe-characters.ts";
import { commit, version, versionText } from "../observability/version.ts";
import { createServiceClient } from "../service/client.ts";
import { databaseName } from "../store/db/open-database.ts";
import { followConfig, logLint } from "./follow-config.ts";
import { type ProcessEnv, print } from "./process-env.ts";
import { readArguments, usage } from "./read-arguments.ts";
import { readSetup, type Setup } from "./read-setup.ts";
import { runOperatorCommand } from "./run-operator-command.ts";

/** Runs Curfew until a stop request, or runs an operator's command. Returns the exit code. Reports problems before anything starts. */
export async function run(processEnv: ProcessEnv): Promise<number> {
  const { args, env, rootFolder, output, errorOutput } = processEnv;
  const read = readArguments(args);
  if (read.kind === "help") return print([usage.trimEnd()], output, 0);
  if (read.kind === "version") return print([versionText], output, 0);
  if (read.kind === "command") return runOperatorCommand(read.command, processEnv);
  const exampleConfigFile = join(rootFolder, "manifest", "curfew.example.yaml");
  const isCompany = read.kind === "run" && read.isCompany;
  const around = isCompany ? await asCompany(processEnv, exampleConfigFile) : processEnv;
  const named = isCompany ? { configFile: exampleConfigFile } : {};
  const setup =
    read.kind === "run" ? readSetup({ env, readFile: around.readFile, exampleConfigFile, ...read, ...named }) : read;
  if (setup.kind === "problems") {
    const heading = "heading" in setup ? setup.heading : "Curfew cannot start:";
    errorOutput.write(escapeUnsafe([heading, ...setup.problems, ""].join("\n")));
    return 1;
  }
  const { environment } = setup;
  if (environment.kind === "sandbox") return runSandbox(environment, { ...setup, isCompany }, around);
  if (!isCompany) return runBot(environment, setup, processEnv);
  errorOutput.write(
    "--company is only for the sandbox: unset the SLACK_… and SCHEDULER_… variables, or leave it out.\n",
  );
  return 1;
}

/** The example's config with that of the large company. */
async function asCompany(around: ProcessEnv, exampleConfigFile: string): Promise<ProcessEnv> {
  const { companyConfig } = await import("../sandbox/start-sandbox.ts");
  const config = companyConfig(around.readFile(exampleConfigFile));
  return { ...around, readFile: (path) => (path === exampleConfigFile ? config : around.readFile(path)) };
}

async function runBot(
  environment: SlackEnvironment,
  { settings, lint, configFile: file, ...setup }: Setup,
  { stopAsked, readFile, onReloadAsked, onUnhandled }: ProcessEnv,
): Promise<number> {
  const secrets = [...environment.secrets];
  const log = createLogger({ level: environment.logLevel, secrets });
  const readSecrets = () => {
    const read = setup.readSecrets();
    secrets.push(...secretsIn(read).filter((secret) => !secrets.includes(secret)));
    return read;
  };
  log.info({ version, commit }, "Curfew starts");
  onUnhandled(unhandledTo(log));
  try {
    const app = followConfig(buildApp(environment, settings, log, { readSecrets }), {
      ...{ readFile, onReloadAsked, file, log },
      started: settings,
    });
    logLint(lint, log);
    const { port, metricsPort } = await app.start();
    log.info({ port, metricsPort, mode: environment.slack.receiver.kind }, "Curfew is ready");
    await stopAsked;
    log.info("Curfew finishes what is under way and stops");
    await app.stop();
    return 0;
  } catch (error) {
    log.fatal({ err: error }, "Curfew could not start, or could not stop as it should");
    return 1;
  }
}

/** A rejected promise leaves nothing half done: what must be done together is one transaction of the database. */
const unhandledTo =
  (log: Logger): Parameters<ProcessEnv["onUnhandled"]>[0] =>
  (kind, error) => {
    if (kind === "rejection") log.error({ err: error }, "an error was handled by nobody; Curfew goes on");
    else log.fatal({ err: error }, "an error was handled by nobody, and Curfew ends: its state may be wrong");
  };

/** Loads the sandbox only here, so that a real workspace does not even read its code. */
async function runSandbox(
  environment: SandboxEnvironment,
  { settings, lint, configFile, isCompany }: Setup & { readonly isCompany: boolean },
  around: ProcessEnv,
): Promise<number> {
  const { logLevel: level, secrets, command, database, port } = environment;
  const { errorOutput, input, onUnhandled, output, readFile, rootFolder, stopAsked } = around;
  const log = createLogger({ level, secrets, destination: { write: (line) => void errorOutput.write(line) } });
  log.info({ version, commit }, "Curfew starts");
  onUnhandled(unhandledTo(log));
  const print = (text: string) => void output.write(`${text}\n`);
  try {
    logLint(lint, log);
    const { startSandbox } = await import("../sandbox/start-sandbox.ts");
    const sandbox = await startSandbox({
      accounts: Object.keys(settings.accounts),
      teams: [...(settings.teams ?? [])],
      projects: projectsOf(settings),
      buildBot: ({ now, elapsedMs, onWrite, accounts, ...embedded }) => {
        const services = [...accounts].map(([name, service]) => [name, createServiceClient(service)] as const);
        const accountServices = Object.fromEntries(services);
        const overrides = { now, elapsedMs, onWrite, accountServices };
        const app = buildApp({ ...environment, configFile, ...embedded }, settings, log, overrides);
        return followConfig(app, {
          ...{ ...around, file: configFile, log, print },
          started: settings,
          isSandbox: true,
        });
      },
      manifest: readFile(join(rootFolder, "manifest", "slack-app.workflows.json")),
      pagePort: port === 0 || port === highestPort ? 0 : port + 1,
      pageFolder: join(rootFolder, "dist", "page"),
      ...{ command, configFile, database, input, output, isCompany },
      databaseName: database && databaseName(database),
    });
    await Promise.race([stopAsked, sandbox.ended]);
    await sandbox.stop();
    return 0;
  } catch (error) {
    errorOutput.write(
      escapeUnsafe(`Curfew's sandbox failed: ${error instanceof Error ? error.message : String(error)}\n`),
    );
    if (isPortTaken(error)) errorOutput.write("Choose another port with PORT; the next one up is for the page.\n");
    return 1;
  }
}

const projectsOf = ({ resourceGroups, directory }: Setup["settings"]): ReadonlyMap<string, string> =>
  new Map([
    ...Object.values(resourceGroups).map(({ project }) => [project, project] as const),
    ...directory.projects.map(({ id, name }) => [id, name] as const),
  ]);

const highestPort = 65_535;

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}
