# One image for the Prefect server, the worker and the command line.
FROM python:3.12-slim AS build
WORKDIR /source
RUN pip install --no-cache-dir build
COPY . .
# sdist first, wheel from it: the links in src/ become real folders on the way.
RUN python -m build --outdir /dist

FROM python:3.12-slim
RUN useradd --create-home freshqa
COPY --from=build /dist/*.whl /tmp/
RUN pip install --no-cache-dir "$(ls /tmp/*.whl)[postgres,plot]" && rm /tmp/*.whl
USER freshqa
WORKDIR /home/freshqa
COPY --chown=freshqa prefect.yaml .
CMD ["prefect-freshqa", "--help"]
