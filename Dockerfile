# One image for the Prefect server, the worker and the command line.
FROM python:3.12-slim AS build
WORKDIR /source
RUN pip install --no-cache-dir build
COPY . .
# The wheel is built from the sdist, in which the links in src/ are real folders.
RUN python -m build --outdir /dist

FROM python:3.12-slim
ARG EXTRAS=postgres,plot
# Bind and cache mounts keep the wheel and the downloads out of the image.
RUN --mount=from=build,source=/dist,target=/dist --mount=type=cache,target=/root/.cache/pip \
    pip install "$(ls /dist/*.whl)[$EXTRAS]"
# `backup` of a PostgreSQL store calls pg_dump, which must not be older than the server.
RUN apt-get update && apt-get install --yes --no-install-recommends postgresql-client \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home freshqa
USER freshqa
WORKDIR /home/freshqa
# A volume mounted here belongs to this user only if the folder exists before.
RUN mkdir .prefect desk
# By default the server unpacks its UI into its own code, which this user may not write.
ENV PREFECT_SERVER_UI_STATIC_DIRECTORY=/home/freshqa/ui
CMD ["prefect-freshqa", "--help"]
