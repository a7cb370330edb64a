# Tells a checkout from the files that the Debian package has installed. Sourced; needs $checkout.
# shellcheck shell=bash

# Where the package puts deploy, sql, nginx and web, its programs, and the settings. Scripts of the package have the
# paths, too: deploy/package.d.
package_folder=/usr/share/lectern
package_programs=/usr/bin
package_home=/var/lib/lectern
package_settings=/etc/lectern/settings.env

# is_package: succeeds if this script belongs to the Debian package. The package depends on everything that the services
# need, and brings the programs and the finished web app, so nothing is installed or built.
is_package() {
    [[ $checkout == "$package_folder" ]]
}

# default_home: prints the home that is used if no other one is named.
default_home() {
    if is_package; then printf '%s' "$package_home"; else printf '%s' "$checkout/var"; fi
}
