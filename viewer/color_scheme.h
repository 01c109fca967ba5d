/* Follows the desktop's preference for dark windows. */
#ifndef VIEWER_COLOR_SCHEME_H
#define VIEWER_COLOR_SCHEME_H

/* Applies the desktop's preference to GtkSettings, now and after each change. Without a portal,
 * GTK's own settings stay. */
void color_scheme_follow(void);

#endif
