/* Follows the desktop's wish for dark windows. */
#ifndef VIEWER_DARK_H
#define VIEWER_DARK_H

/* Asks the desktop, and listens from then on; sets GtkSettings. Where there is nobody to ask, GTK's
 * own settings stay. */
void dark_follow(void);

#endif
