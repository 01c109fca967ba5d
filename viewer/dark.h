/* Follows the desktop's preference for dark windows. */
#ifndef VIEWER_DARK_H
#define VIEWER_DARK_H

/* Applies the desktop's preference to GtkSettings, now and after each change. Without a portal,
 * GTK's own settings stay. */
void dark_follow(void);

#endif
