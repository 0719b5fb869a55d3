# The carousel image. The first stage builds it, the second contains only what runs.
#
#   docker build -t carousel --build-arg REVISION="$(git rev-parse HEAD)" .
#   docker run --rm -p 8080:8080 carousel
#   docker run --rm -v carousel:/data -v "$PWD/art.csv:/art.csv:ro" carousel \
#     import /art.csv --database /data/catalogue.db --strip art
#   docker run --rm -v "$HOME/Pictures:/pictures:ro" -v carousel:/data -p 8080:8080 carousel photos /pictures --cache /data
#   docker run --restart unless-stopped -v carousel:/data -p 8080:8080 -e CAROUSEL_DATABASE=/data/catalogue.db carousel
#
# With buildah or podman, add --format docker. The OCI format has no health check.

FROM swift:6.3-bookworm AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
    esbuild libbrotli-dev libisal-dev libmicrohttpd-dev libpq-dev libsqlite3-dev \
    libssl-dev mkdocs pkg-config python3-pygments zlib1g-dev \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /build
# Dependencies change rarely, so a separate layer fetches them. A cache mount keeps the build folder.
COPY Package.swift ./
RUN swift package resolve
COPY Examples Examples
COPY Sources Sources
COPY Tests Tests
# Swift is linked statically, so the second stage needs no Swift libraries. `carousel --version` prints the commit.
ARG REVISION
RUN --mount=type=cache,target=/build/.build \
    export CAROUSEL_COMMIT="$REVISION" \
 && swift build -c release --product carousel -Xlinker -s \
 && swift build -c release --product carousel-pictures -Xlinker -s \
 && cd "$(swift build -c release --show-bin-path)" && install -D -t /out/bin carousel carousel-pictures
COPY Public Public
COPY Documentation Documentation
COPY Scripts/bundle Scripts/
RUN Scripts/bundle && mkdocs build --quiet --strict --config-file Documentation/mkdocs.yml

FROM debian:bookworm-slim
ARG REVISION=unknown
LABEL org.opencontainers.image.title="carousel" \
      org.opencontainers.image.description="Serves strips, lists, grids and photo walls of any length, one window at a time" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.revision="$REVISION"
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
    libbrotli1 libmicrohttpd12 libpq5 libsqlite3-0 libssl3 libisal2 libvips42 \
 && rm -rf /var/lib/apt/lists/* \
 && install -d -o 10001 -g 10001 /data
COPY --from=build /out/bin /usr/local/bin
COPY --from=build /build/Public /usr/local/share/carousel/Public
ENV CAROUSEL_HOST=0.0.0.0 CAROUSEL_PUBLIC=/usr/local/share/carousel/Public
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["carousel", "health"]
ENTRYPOINT ["carousel"]
CMD ["serve"]
