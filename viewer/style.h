/* The style of widgets, and the desktop's preference for dark windows. */
#ifndef VIEWER_STYLE_H
#define VIEWER_STYLE_H

/* Starts libadwaita's style (style_adwaita.c), or keeps GTK's (style_gtk.c), as the build has
 * chosen. Either follows the desktop's preference for dark windows from now on, and sets
 * GtkSettings to it. Without a portal, GTK's own settings stay. Call it once, after GTK has
 * started. */
void style_start(void);

#endif
