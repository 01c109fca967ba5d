# cmake -DFORMATS=FILE -DSOURCE=DIR -DOUT=DIR -P desktop_types.cmake: configures SOURCE/*.in with the formats in
# FILE, the output of `lerpmesh formats --json`.
file(STRINGS ${FORMATS} formats)
list(LENGTH formats count)
if(count EQUAL 0)
    message(FATAL_ERROR "${FORMATS} lists no format")
endif()
# Appends to a list in prose: "A, B and C".
macro(add_words words index word)
    math(EXPR left "${count} - ${index}")
    if(${index} GREATER 0 AND left EQUAL 1)
        string(APPEND ${words} " and ")
    elseif(${index} GREATER 0)
        string(APPEND ${words} ", ")
    endif()
    string(APPEND ${words} "${word}")
endmacro()
set(index 0)
foreach(format IN LISTS formats)
    foreach(key IN ITEMS name game extension mime ident version)
        string(JSON ${key} GET "${format}" ${key})
    endforeach()
    string(TOUPPER ${name} title)
    string(APPEND mime_types
        "  <mime-type type=\"${mime}\">\n"
        "    <comment>${game} model</comment>\n"
        "    <icon name=\"org.lerpmesh.Viewer\"/>\n"
        "    <magic priority=\"60\">\n"
        "      <match type=\"string\" offset=\"0\" value=\"${ident}\">\n"
        "        <match type=\"little32\" offset=\"4\" value=\"${version}\"/>\n"
        "      </match>\n"
        "    </magic>\n"
        "    <glob pattern=\"*.${extension}\"/>\n"
        "  </mime-type>\n")
    string(APPEND mimes "${mime};")
    string(APPEND keywords "${title};")
    string(APPEND media_types "    <mediatype>${mime}</mediatype>\n")
    add_words(names ${index} "${title}")
    add_words(games ${index} "${game} (${title})")
    math(EXPR index "${index} + 1")
endforeach()
file(GLOB templates ${SOURCE}/*.in)
foreach(template IN LISTS templates)
    get_filename_component(name ${template} NAME_WLE)
    configure_file(${template} ${OUT}/${name} @ONLY)
endforeach()
