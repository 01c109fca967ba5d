/* The only list of the supported formats. Each is lm_format_NAME and lm_examiner_NAME, in
 * src/formats/NAME/. */
#ifndef LM_FORMATS_H
#define LM_FORMATS_H

#define LM_FORMATS(X) X(md2) X(mdc) X(md3) X(mdl)

#endif
