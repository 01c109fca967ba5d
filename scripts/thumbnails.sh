#!/bin/sh
# thumbnails.sh BUILD: draws the pictures of the page's gallery, web/thumbnails/, of the models in
# web/page/samples.json. `make thumbnails` calls it.
set -e
mkdir -p web/thumbnails
# The first name of each line is the model.
sed -n 's/^ *\["\([^"]*\)".*/\1/p' web/page/samples.json | while read -r model; do
    "$1/release/lerpmesh" render "samples/$model" --size 240 --background none --frames 0-0 -f \
        -o "web/thumbnails/$(echo "${model%.*}" | tr / -).webp"
done
