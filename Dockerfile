# One image for the Prefect server, the worker and the command line.
FROM python:3.12-slim AS build
WORKDIR /source
RUN pip install --no-cache-dir build
COPY . .
# sdist first, wheel from it: the links in src/ become real folders on the way.
RUN python -m build --outdir /dist

FROM python:3.12-slim
ARG EXTRAS=postgres,plot
# The wheel is looked at where it was built and the downloads are kept beside the image, not in it.
RUN --mount=from=build,source=/dist,target=/dist --mount=type=cache,target=/root/.cache/pip \
    pip install "$(ls /dist/*.whl)[$EXTRAS]"
# `backup` of a PostgreSQL store calls pg_dump, which must not be older than the server.
RUN apt-get update && apt-get install --yes --no-install-recommends postgresql-client \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home freshqa
USER freshqa
WORKDIR /home/freshqa
# A volume mounted here belongs to this user only if the folder is there before.
RUN mkdir .prefect desk
# The server unpacks its UI beside its own code unless told otherwise, which this user may not write.
ENV PREFECT_SERVER_UI_STATIC_DIRECTORY=/home/freshqa/ui
CMD ["prefect-freshqa", "--help"]
