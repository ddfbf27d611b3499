import { createServer } from "node:net";
import { App, LogLevel } from "@slack/bolt";
import {
  startWorkspace,
  type Workspace,
  type WorkspaceOptions,
} from "../../../src/sandbox/workspace/start-workspace.ts";
import { socketManifest, tinyManifest } from "./tiny-manifest.ts";

export interface TinyApp {
  readonly workspace: Workspace;
  readonly app: App;
  stop(): Promise<void>;
}

/** A workspace and a minimal Bolt app over HTTP. */
export async function startOverHttp(
  register: (app: App) => void,
  options: Partial<WorkspaceOptions> = {},
): Promise<TinyApp> {
  const workspace = await startWorkspace({ manifest: tinyManifest, ...options });
  const app = new App({
    token: workspace.botToken,
    signingSecret: workspace.signingSecret,
    clientOptions: { slackApiUrl: workspace.apiUrl },
    logLevel: LogLevel.ERROR,
    deferInitialization: true,
  });
  await app.init();
  register(app);
  const port = await freePort();
  await app.start(port);
  workspace.connectHttp(`http://127.0.0.1:${port}/slack/events`);
  return {
    workspace,
    app,
    stop: async () => {
      await workspace.close();
      await app.stop();
    },
  };
}

/** The same over Socket Mode. */
export async function startOverSocket(
  register: (app: App) => void,
  options: Partial<WorkspaceOptions> = {},
): Promise<TinyApp> {
  const workspace = await startWorkspace({ manifest: socketManifest, ...options });
  const app = new App({
    token: workspace.botToken,
    appToken: workspace.appToken,
    socketMode: true,
    clientOptions: { slackApiUrl: workspace.apiUrl },
    logLevel: LogLevel.ERROR,
    deferInitialization: true,
  });
  await app.init();
  register(app);
  await app.start();
  return {
    workspace,
    app,
    stop: async () => {
      await app.stop();
      await workspace.waitFor(() => workspace.sockets.count() === 0);
      await workspace.close();
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
