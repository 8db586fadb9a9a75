/** Whose jobs they are: what each tenant is due, and how much of it may wait. */
@NullMarked
package dev.fairlead.service.tenant;

import org.jspecify.annotations.NullMarked;
