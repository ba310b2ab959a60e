<?php
// A list of user names is half of what an attacker needs to sign in, so visitors get none. The owner can show it on
// the screen Settings, Reading.
add_action(
	'admin_init',
	static function () {
		register_setting( 'reading', 'nido_list_users', array( 'type' => 'boolean', 'default' => false ) );
		add_settings_field(
			'nido_list_users',
			nido_text( 'Usuarios', 'Users' ),
			static function () {
				printf(
					'<label><input type="checkbox" name="nido_list_users" value="1" %s> %s</label>',
					checked( get_option( 'nido_list_users' ), true, false ),
					esc_html( nido_text( 'Mostrar la lista de usuarios a todos los visitantes (API REST, mapa del sitio y ?author=)', 'Show the list of users to all visitors (REST API, sitemap and ?author=)' ) )
				);
			},
			'reading'
		);
	}
);

function nido_are_users_hidden() {
	return ! is_user_logged_in() && ! get_option( 'nido_list_users' );
}

add_filter(
	'rest_endpoints',
	static function ( $endpoints ) {
		if ( nido_are_users_hidden() ) {
			unset( $endpoints['/wp/v2/users'], $endpoints['/wp/v2/users/(?P<id>[\d]+)'] );
		}
		return $endpoints;
	}
);
add_filter( 'oembed_response_data', static fn ( $data ) => nido_are_users_hidden() ? array_diff_key( $data, array( 'author_url' => 0 ) ) : $data );
add_filter( 'wp_sitemaps_add_provider', static fn ( $provider, $name ) => 'users' === $name && ! get_option( 'nido_list_users' ) ? false : $provider, 10, 2 );
add_action(
	'parse_request',
	static function ( $wp ) {
		$is_list = isset( $wp->query_vars['author'] ) || 'users' === ( $wp->query_vars['sitemap'] ?? '' );
		if ( $is_list && nido_are_users_hidden() ) {
			$wp->query_vars = array( 'error' => '404' );
		}
	}
);
