# Node 24 is the current LTS. It has SQLite built in, so the bundle needs no package at run time. The digest is of the index for all
# platforms, with Node 24.21.0 in it: `docker buildx imagetools inspect node:24-slim` tells the newest.
FROM node:24-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Two packages have install scripts. Neither is needed: esbuild starts a little sooner after its own, and the SQLite package is not used.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY src ./src
# docker build --build-arg CURFEW_COMMIT=$(git rev-parse --short HEAD)
ARG CURFEW_COMMIT=unknown
# The sandbox and its page are for trying out, elsewhere.
RUN npm run build && rm -r dist/page dist/start-sandbox-*

# What the bundle is made of, for scanners. npm's own `--omit dev` would leave out what development packages use too.
FROM node:24-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS sbom
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm run --silent sbom > sbom.cdx.json

FROM node:24-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production
WORKDIR /app
# package.json says that the bundle consists of ES modules.
COPY package.json ./
COPY --from=build /app/dist ./dist
COPY --from=sbom /app/sbom.cdx.json ./
# With it, `doctor` can tell whether the app in Slack has the scopes it should have.
COPY manifest ./manifest
# Of the user who runs it, so that a fresh volume is writable; SQLite keeps its write-ahead log beside the database.
RUN mkdir data && chown node:node data
VOLUME /app/data
USER node
EXPOSE 3000
# Also with another PORT. Whether it takes requests is told by /readyz.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Stopping takes up to 25 seconds when much is under way: docker stop --timeout 30
# As package.json's start: Curfew needs about 35 MiB of heap, and tidies up the sooner the less it may have. To have
# an error's stack name places in the source, for the price of 50 MiB, run it with NODE_OPTIONS=--enable-source-maps.
CMD ["node", "--max-old-space-size=512", "dist/main.js"]
